/** The words of a name: `user-id`, `created_at`, `Post code` → two each. What is no letter or digit parts them. */
const words = (name: string) => name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** A name cannot begin with a digit, nor be empty, in any of these languages. */
const named = (name: string) => (/^\p{L}/u.test(name) ? name : `_${name}`)

/** `user-id` → `UserId`. `inner` follows another word, so it may begin with a digit. */
export const pascalCase = (name: string, inner = false) => {
  const joined = words(name).map(capital).join('')
  return inner ? joined : named(joined)
}

/** `created_at` → `createdAt`, `ACTIVE` → `active`. */
export function camelCase(name: string): string {
  const [first = '', ...rest] = words(name)
  const begin =
    first === first.toUpperCase()
      ? first.toLowerCase()
      : first.slice(0, 1).toLowerCase() + first.slice(1)
  return named(
    begin +
      rest.map((word) => capital(word === word.toUpperCase() ? word.toLowerCase() : word)).join(''),
  )
}

/** Every name once: a second one of the same form gets a number. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let n = 2; taken.has(free); n += 1) free = `${name}${n}`
    taken.add(free)
    return free
  })
}
