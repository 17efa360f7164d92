// Inheritance with super through three generations.
local Shape = {
  assert self.sides > 2 : 'no shape has %d sides' % self.sides,
  name: 'shape',
  sides: error 'sides missing',
  describe():: 'a %s with %d sides' % [self.name, self.sides],
  text: self.describe(),
};
local Square = Shape { name: 'square', sides: 4, size:: 1, area: self.size * self.size };
local Big = { size:: super.size * 10, describe():: 'BIG ' + super.describe() + ' of ' + self.area };
[Shape { name: 'triangle', sides: 3 }, Square, Square + Big, Square + Big + Big { name: 'plate' }]
