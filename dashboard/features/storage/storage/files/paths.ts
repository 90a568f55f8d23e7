/** `a/b` and `c` make `a/b/c`; the bucket itself is the empty path. */
export const below = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`

export const folderOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Without slashes at its ends, as people may write them. */
export const tidy = (path: string): string => path.trim().replaceAll(/^\/+|\/+$/g, '')

/** Each folder on the way with its path, from the top. */
export const stepsOf = (path: string): { name: string; path: string }[] =>
  path === ''
    ? []
    : path.split('/').map((name, at, parts) => ({ name, path: parts.slice(0, at + 1).join('/') }))

const inKeys = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]+$/
export const nameRule =
  "Names have letters without accents, digits, spaces and ! - _ . * ' ( ) & $ = @ ; : + , ?"

/** What is wrong with the name of a file or folder; undefined when nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name'
  if (name === '.' || name === '..') return 'This name refers to another folder'
  if (!inKeys.test(name)) return nameRule
  return undefined
}

/** The same of a whole path; the empty one is the bucket. */
export const pathProblem = (path: string): string | undefined =>
  path === ''
    ? undefined
    : path
        .split('/')
        .map((part) => (part === '' ? 'Two slashes in a row' : nameProblem(part)))
        .find((problem) => problem !== undefined)

/** A name as keys can have it: accents go, and what cannot be written becomes a line. */
export const safeName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_!.*'() &$=@;:+,?-]/g, '_')

type PreviewKind = 'image' | 'audio' | 'video' | 'text' | 'pdf'

const texts =
  /^(?:text\/.*|application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh|x-ndjson)|.*\+(?:json|xml))$/

/** How a file of this type is shown; undefined: not at all. */
export function previewKind(type: string | null): PreviewKind | undefined {
  const bare = type?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (bare === 'application/pdf') return 'pdf'
  if (bare.startsWith('image/')) return 'image'
  if (bare.startsWith('audio/')) return 'audio'
  if (bare.startsWith('video/')) return 'video'
  return texts.test(bare) ? 'text' : undefined
}
