/** The platform's own auth service: the same code that projects get, for the people of the dashboard. */
export const authUrl = `${location.origin}/auth/v1`
/** Where this browser keeps the session; public/first.js reads it, too. */
export const storageKey = 'plinth.session'
