/** Where people land after signing in. */
export const landing = '/organizations'

// Requirements §2 and §5: letters, digits, slash, hyphen and underscore, with a simple query string after it.
const pattern = /^\/(?!\/)[A-Za-z0-9/_-]*(?:\?[A-Za-z0-9\-_=&]*)?$/

/** The path to go to after signing in: `returnTo` when it is a harmless path of ours, else the organization list. */
export const safeReturnTo = (returnTo: unknown): string =>
  typeof returnTo === 'string' && pattern.test(returnTo) ? returnTo : landing

/** `returnTo` for the page one is on; undefined when the sign-in page would not honour it. */
export const returnToOf = (href: string): string | undefined =>
  href !== '/' && safeReturnTo(href) === href ? href : undefined
