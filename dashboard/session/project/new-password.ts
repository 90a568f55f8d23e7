const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
// None of these needs escaping in a connection string.
const marks = '-_.~'
const alphabet = letters + digits + marks
const length = 24

type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

/** A database password of 24 characters that can be pasted into a URL, with look-alikes (l, I, O, 0, 1) left out. */
export function newPassword(
  random: RandomBytes = (bytes) => crypto.getRandomValues(bytes),
): string {
  const limit = 256 - (256 % alphabet.length)
  let password = ''
  while (password.length < length)
    // Bytes above the limit would make the first letters of the alphabet likelier than the last.
    for (const byte of random(new Uint8Array(length)))
      if (byte < limit && password.length < length)
        password += alphabet[byte % alphabet.length] ?? ''
  return password
}
