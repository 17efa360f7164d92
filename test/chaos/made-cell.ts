const content = `
local n = Body("n");
local words(text) = std.split(std.strReplace(text, "\\r\\n", " "), " ");
{
  n: n,
  half: n / 2,
  pad: std.length(Body("pad", "")),
  by: Header("x-number"),
  words: std.join("-", [word for word in words(Body("text")) if word != "with,"]),
}`;

/** A column that a template makes of the events of `sender.ts`. */
export function templateColumn(name: string) {
  return { type: 'template', name, template: { language: 'jsonnet', content } };
}

/** What the template makes of an event, worked out without it. */
export function madeCell(number: number): string {
  const words = `event-"${number}"-all:-that`;
  return JSON.stringify({ by: String(number), half: number / 2, n: number, pad: number % 700, words });
}
