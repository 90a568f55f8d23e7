/** What is wrong with a number of seconds as somebody types it; undefined where nothing is. */
export function delayProblem(text: string, longest: number): string | undefined {
  if (!/^\s*\d{1,12}\s*$/.test(text)) return 'Enter a whole number of seconds'
  return Number(text) > longest ? 'Enter at most ten years' : undefined
}
