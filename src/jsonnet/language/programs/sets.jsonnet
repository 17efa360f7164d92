// Who may do what: sets of permissions, some with a key.
local roles = {
  reader: std.set(['read', 'list']),
  writer: std.setUnion(self.reader, ['write']),
  owner: std.setUnion(self.writer, std.set(['grant', 'delete'])),
};
local users = [
  { name: 'ann', roles: ['owner'] },
  { name: 'bob', roles: ['reader', 'writer'], denied: ['list'] },
  { name: 'cem', roles: [] },
];
local granted(user) =
  local all = std.foldl(function(all, role) std.setUnion(all, roles[role]), user.roles, []);
  std.setDiff(all, std.set(std.get(user, 'denied', [])));
local byName = function(user) user.name;
{
  granted: { [user.name]: granted(user) for user in users },
  shared: std.foldl(std.setInter, [granted(user) for user in users[:2]], roles.owner),
  mayDelete: [user.name for user in users if std.setMember('delete', granted(user))],
  nobody: [user.name for user in users if std.length(granted(user)) == 0],
  merged: std.setUnion([{ name: 'ann', from: 'left' }], std.set([{ name: 'dee' }, { name: 'ann' }], byName), byName),
}
