// One configuration written as the texts that other programs read.
local config = {
  server: { host: 'a.example', ports: [80, 443], tls: true },
  names: ['x: y', 'plain', 'two\nlines\n'],
  empty: {},
};
{
  yaml: std.manifestYamlDoc(config, indent_array_in_object=true, quote_keys=false),
  ini: std.manifestIni({ main: { version: 2 }, sections: { server: config.server } }),
  toml: std.manifestTomlEx({ title: 't', server: config.server }, '  '),
  python: std.manifestPython({ on: true, off: null, list: [1.5, 'a'] }),
  xml: std.manifestXmlJsonml(['a', { href: '/?x=1' }, 'go ', ['b', 'now']]),
  json: std.manifestJsonMinified(config.server),
  again: std.parseYaml(self.yaml) == config && std.parseJson(self.json) == config.server,
}
