export function nearest(typed: string, known: readonly string[]): string | undefined
