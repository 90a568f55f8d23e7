/** Apps show a code in two groups; people type it so. */
export const plainCode = (code: string): string => code.replaceAll(' ', '')

/** For the code of an authenticator app. */
export const codeRules = {
  validate: (code: string) => /^\d{6}$/.test(plainCode(code)) || 'A code has 6 digits',
}
