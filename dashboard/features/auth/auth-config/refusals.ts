import { authSettings, type AuthKey } from '#contract/auth/auth-config-keys'

const isKey = (text: string): text is AuthKey => Object.hasOwn(authSettings, text)

/** The server's words as a sentence of their own, which they are not behind the name of a key. */
const asSentence = (message: string): string =>
  message.replace(/^./, (first) => first.toUpperCase())

/** A refusal that names keys, as `KEY: why; OTHER_KEY: why`, taken apart; `rest` is what belongs to no field of `keys`. */
export function refusalsIn(message: string, keys: ReadonlySet<AuthKey>) {
  const parts: { key: AuthKey | undefined; text: string }[] = []
  for (const piece of message.split('; ')) {
    const [name = '', ...words] = piece.split(': ')
    const before = parts.at(-1)
    if (isKey(name)) parts.push({ key: name, text: words.join(': ') })
    // A semicolon within the words of the one before.
    else if (before) before.text += `; ${piece}`
    else parts.push({ key: undefined, text: piece })
  }
  const fields = new Map<AuthKey, string>()
  const rest: string[] = []
  for (const { key, text } of parts) {
    if (key && keys.has(key)) fields.set(key, asSentence(text))
    else rest.push(key ? `${key}: ${text}` : text)
  }
  return { fields, rest: rest.length > 0 ? rest.join('; ') : undefined }
}
