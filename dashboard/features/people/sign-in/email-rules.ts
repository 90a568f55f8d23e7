/** Enough to catch a slip; whether an address exists only a mail can tell. */
export const emailRules = {
  required: 'Enter your email address',
  pattern: { value: /^\S+@\S+\.\S+$|^\S+@localhost$/, message: 'This is not an email address' },
}
