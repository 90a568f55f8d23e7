const slug = /^[A-Za-z][A-Za-z0-9_-]*$/

/** Why a path cannot be that of a file; the server judges it again. */
export const FunctionPath = {
  problem(path: string): string | undefined {
    if (path === '') return 'A file needs a name'
    const parts = path.split('/')
    const odd = parts.some((part) => part === '' || part === '.' || part === '..')
    return odd || /[\\\p{Cc}]/u.test(path) ? 'This is not a path inside the function' : undefined
  },
}

/** Why a function cannot have this name; undefined when it can. */
export function slugProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'A function needs a name'
  if (!slug.test(name)) return 'Start with a letter, then use letters, digits, _ and -'
  return taken.includes(name) ? 'A function with this name already exists' : undefined
}
