/** What the documentation is open at. */
export type Resource =
  | { kind: 'introduction' | 'authentication' | 'users' | 'types' }
  | { kind: 'table' | 'function'; id: number }

const chapters = ['introduction', 'authentication', 'users', 'types'] as const

/** As it stands in the address: `types`, `table-16402`. What is none is the introduction. */
export function resourceOf(text: string | undefined): Resource {
  const chapter = chapters.find((name) => name === text)
  if (chapter) return { kind: chapter }
  const [, kind, digits] = /^(table|function)-(\d{1,10})$/.exec(text ?? '') ?? []
  const id = Number(digits)
  return (kind === 'table' || kind === 'function') && id <= 4_294_967_295
    ? { kind, id }
    : { kind: 'introduction' }
}

export const resourceText = (resource: Resource): string =>
  'id' in resource ? `${resource.kind}-${resource.id}` : resource.kind

/** How the documentation is read: where it is open, in which tongue, with which key. */
export type View = { resource: Resource; language: 'js' | 'bash'; key: 'anon' | 'service' }
export type ViewSearch = { resource?: string; lang?: string; key?: string }

export const viewOf = ({ resource, lang, key }: ViewSearch): View => ({
  resource: resourceOf(resource),
  language: lang === 'bash' ? 'bash' : 'js',
  key: key === 'service' ? 'service' : 'anon',
})

/** What differs from a first look. */
export const searchOf = ({ resource, language, key }: View): ViewSearch => ({
  ...(resource.kind === 'introduction' ? {} : { resource: resourceText(resource) }),
  ...(language === 'js' ? {} : { lang: language }),
  ...(key === 'anon' ? {} : { key }),
})
