import type { ReactNode } from 'react'
import type { Extension } from '#contract/database/database-object-shapes'
import { disableExtension } from '#contract/ddl/extensions'
import type { Asked } from '../../../modules/objects/use-review.tsx'

/** What goes with an extension. */
export function DisableWords({ extension }: { extension: Extension }) {
  const { name, required_by: needing } = extension
  return (
    <p>
      Its types, functions and operators are removed.{' '}
      {needing.length > 0
        ? `${needing.join(', ')} ${needing.length > 1 ? 'need' : 'needs'} it, so Postgres will refuse until ${needing.length > 1 ? 'they are' : 'it is'} disabled.`
        : `While a column, an index or a function still uses ${name}, Postgres refuses and says which.`}
    </p>
  )
}

export const askToDisable = (extension: Extension, children: ReactNode): Asked => ({
  change: disableExtension(extension),
  title: `Disable ${extension.name}`,
  verb: 'Disable extension',
  danger: true,
  done: `${extension.name} is disabled`,
  children,
})
