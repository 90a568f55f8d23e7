import type { ClientLibrary } from '#contract/operations/custom-content'
import type { HideableFeature } from '#contract/features'

export type Library = ClientLibrary & {
  /** With which an operator hides it. */
  feature?: HideableFeature
}

/** Our own page, below the dashboard's address. */
const docs = '/docs/client-libraries'

/** In the order and with the marks of the requirements (§3). */
export const libraries: readonly Library[] = [
  {
    language: 'JavaScript',
    officialSupport: true,
    docsUrl: `${docs}#javascript`,
    gitUrl: 'https://github.com/supabase/supabase-js',
  },
  {
    language: 'Flutter',
    feature: 'sdk:dart',
    officialSupport: true,
    docsUrl: `${docs}#flutter`,
    gitUrl: 'https://github.com/supabase/supabase-flutter',
  },
  {
    language: 'Python',
    feature: 'sdk:python',
    officialSupport: true,
    releaseState: 'Alpha',
    docsUrl: `${docs}#python`,
    gitUrl: 'https://github.com/supabase/supabase-py',
  },
  {
    language: 'C#',
    altIconName: 'c-sharp',
    feature: 'sdk:csharp',
    officialSupport: false,
    docsUrl: `${docs}#c`,
    gitUrl: 'https://github.com/supabase-community/supabase-csharp',
  },
  {
    language: 'Swift',
    feature: 'sdk:swift',
    officialSupport: true,
    docsUrl: `${docs}#swift`,
    gitUrl: 'https://github.com/supabase/supabase-swift',
  },
  {
    language: 'Kotlin',
    feature: 'sdk:kotlin',
    officialSupport: false,
    docsUrl: `${docs}#kotlin`,
    gitUrl: 'https://github.com/supabase-community/supabase-kt',
  },
]

/** The mark of a library: the letters that its language goes by, or its first two. */
export function markOf({ language, altIconName }: Pick<Library, 'language' | 'altIconName'>) {
  return marks[altIconName ?? language.toLowerCase()] ?? language.slice(0, 2)
}

const marks: Record<string, string> = {
  javascript: 'JS',
  flutter: 'Fl',
  python: 'Py',
  'c-sharp': 'C#',
  swift: 'Sw',
  kotlin: 'Kt',
}
