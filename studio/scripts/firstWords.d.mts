export function firstWords(): Record<string, Record<string, string>>;
