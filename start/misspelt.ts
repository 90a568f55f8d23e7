import { settingNames } from '#kit/config'
import { nearest } from './nearest.mjs'

/** What other programs of ours read, or one of them hands to another. */
const others = [
  'PLINTH_ACCESS_TOKEN',
  'PLINTH_BACKUP_PASSPHRASE',
  'PLINTH_BACKUP_PASSPHRASE_FILE',
  'PLINTH_FAILPOINTS',
  'PLINTH_STARTED_AT',
]

/** A line for each variable that is called like a setting and is none: it would be ignored without a word. */
export function misspelt(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...settingNames, ...others]
  return Object.keys(environment)
    .filter((name) => name.startsWith('PLINTH_') && !known.includes(name))
    .map((name) => {
      const near = nearest(name, known)
      return `${name} is not a setting and is ignored${near === undefined ? '' : `; did you mean ${near}?`}`
    })
}
