import { redirectUriProblem } from '#contract/organizations/redirect-uri'

/** Redirect addresses, one a line. */
export const addressesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What is wrong with them; undefined when an app can have them. */
export function addressesProblem(text: string): string | undefined {
  const addresses = addressesIn(text)
  if (addresses.length === 0) return 'An app needs one'
  if (addresses.length > 20) return 'At most 20'
  const wrong = addresses.map((one) => [one, redirectUriProblem(one)] as const)
  const [first, problem] = wrong.find(([, each]) => each !== undefined) ?? []
  return problem && `${first} ${problem}`
}
