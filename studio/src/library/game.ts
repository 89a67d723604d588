// A game as the command line writes it: rulesets joined by `+`, options behind `?`.

export function gameText(game: { picks: string[]; options: Record<string, string> }): string {
  const options = Object.entries(game.options).map(([name, value]) => `${name}=${value}`);
  return game.picks.join("+") + (options.length > 0 ? `?${options.join("&")}` : "");
}

export function readGame(text: string): { picks: string[]; options: Record<string, string> } {
  const [names = "", chosen = ""] = text.split("?");
  const options: Record<string, string> = {};
  for (const one of chosen.split("&").filter(Boolean)) {
    const place = one.indexOf("=");
    if (place > 0) options[one.slice(0, place)] = one.slice(place + 1);
  }
  return { picks: names.split("+").filter(Boolean), options };
}
