export type Library = {
  language: string
  /** By the makers of the protocol; the others by the people who use them. */
  officialSupport: boolean
  releaseState?: 'Alpha'
  docsUrl: string
  gitUrl: string
}

const docs = 'https://supabase.com/docs/reference'

/** In the order and with the marks of the requirements (§3); where to read about each as of facts §10. */
export const libraries: readonly Library[] = [
  {
    language: 'JavaScript',
    officialSupport: true,
    docsUrl: `${docs}/javascript/installing`,
    gitUrl: 'https://github.com/supabase/supabase-js',
  },
  {
    language: 'Flutter',
    officialSupport: true,
    docsUrl: `${docs}/dart/installing`,
    gitUrl: 'https://github.com/supabase/supabase-flutter',
  },
  {
    language: 'Python',
    officialSupport: true,
    releaseState: 'Alpha',
    docsUrl: `${docs}/python/initializing`,
    gitUrl: 'https://github.com/supabase/supabase-py',
  },
  {
    language: 'C#',
    officialSupport: false,
    docsUrl: `${docs}/csharp/installing`,
    gitUrl: 'https://github.com/supabase-community/supabase-csharp',
  },
  {
    language: 'Swift',
    officialSupport: true,
    docsUrl: `${docs}/swift/initializing`,
    gitUrl: 'https://github.com/supabase/supabase-swift',
  },
  {
    language: 'Kotlin',
    officialSupport: false,
    docsUrl: `${docs}/kotlin/installing`,
    gitUrl: 'https://github.com/supabase-community/supabase-kt',
  },
]
