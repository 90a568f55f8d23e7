type Ideas = readonly [string, string, string]

/** What can be asked where nothing special is on the screen. */
const anywhere: Ideas = [
  'Which tables are the largest?',
  'Explain how my tables are related',
  'Write a policy so that people only see their own rows',
]

/** What the page in the background suggests, by the part of its address behind the project. */
const byPage: readonly [RegExp, Ideas][] = [
  [
    /^\/(?:auth|database|storage)\/policies|^\/realtime\/policies/,
    [
      'Write a policy so that people only see their own rows',
      'Which tables can anyone with the public key read?',
      'Explain the policies of this project',
    ],
  ],
  [
    /^\/sql/,
    [
      'Write a query that counts the rows of every table',
      'Which of my queries need an index?',
      'Explain how my tables are related',
    ],
  ],
  [
    /^\/editor|^\/database\/(?:tables|schemas)/,
    [
      'Suggest a table for what this project still lacks',
      'Which columns should not be nullable?',
      'Which foreign keys are missing?',
    ],
  ],
  [
    /^\/database\/functions/,
    [
      'Write a function that counts rows by month',
      'Explain what my functions do',
      'Which functions run with the rights of their owner?',
    ],
  ],
  [
    /^\/database\/triggers/,
    [
      'Write a trigger that keeps updated_at current',
      'Write a trigger that copies new users into a table of mine',
      'Explain what my triggers do',
    ],
  ],
  [
    /^\/(?:advisors|database\/indexes)/,
    [
      'Which of my queries need an index?',
      'Which indexes are not used?',
      'Which tables can anyone with the public key read?',
    ],
  ],
]

/** The suggestions for a page of a project. */
export function ideasAt(pathname: string): Ideas {
  const page = /^\/project\/[^/]+(\/.*)?$/.exec(pathname)?.[1] ?? ''
  return byPage.find(([pattern]) => pattern.test(page))?.[1] ?? anywhere
}
