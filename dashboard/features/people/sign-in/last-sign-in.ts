const key = 'plinth.last-sign-in'

/** `password`, `sso`, or the name of another place. It stays when one signs out: it is about the browser. */
export const lastSignIn = (): string | null => localStorage.getItem(key)

export const rememberSignIn = (way: string): void => localStorage.setItem(key, way)
