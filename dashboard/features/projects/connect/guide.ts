import type { Language } from '../../../ui/text/CodeBlock.tsx'

/** A file of an example, whole: what stands in it is what goes to the clipboard. */
export type CodeFile = { name: string; language: Language; code: string }

/** What an app is connected with. The key is the anon key, or words in its place for those who may not read it. */
export type AppProject = { url: string; anonKey: string }

/** One way to do it, as the App Router of Next.js. */
export type Variant<P> = {
  id: string
  name: string
  /** A line for the terminal. */
  install: string
  files: (project: P) => CodeFile[]
  /** What has to be known beside the code. */
  note?: string
}

/** A framework, or a library of the kind the tab is about. Most have one variant. */
export type Guide<P> = {
  id: string
  name: string
  variants: readonly [Variant<P>, ...Variant<P>[]]
}

export const lines = (...all: string[]): string => all.join('\n')

/** A guide with one way to do it. */
export const guide = <P>(
  id: string,
  name: string,
  only: Omit<Variant<P>, 'id' | 'name'>,
): Guide<P> => ({
  id,
  name,
  variants: [{ id, name, ...only }],
})

/** A file of environment variables: the URL and the key under the names that a framework lets through to the browser. */
export const envFile = (name: string, url: string, key: string, project: AppProject): CodeFile => ({
  name,
  language: 'text',
  code: lines(`${url}=${project.url}`, `${key}=${project.anonKey}`),
})
