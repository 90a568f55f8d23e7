/** A redirect URI with the answer in its query. What the app had put there itself stays. */
export function answerUrl(
  redirectUri: string,
  answer: Record<string, string | null | undefined>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer))
    if (value !== null && value !== undefined) url.searchParams.set(name, value)
  return url.href
}
