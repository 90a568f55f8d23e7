import { Check, TriangleAlert } from 'lucide-react'
import { useDeferredValue } from 'react'
import { Icon } from '../../../../ui/Icon.tsx'
import type { MailTemplate } from './mail-kinds.ts'
import { spamHints } from './spam-hints.ts'

type Props = { template: MailTemplate; subject: string; html: string }

/** Why readers or their filters may not like a mail, while it is written. */
export function SpamHints({ template, subject, html }: Props) {
  const hints = spamHints(template, useDeferredValue(subject), useDeferredValue(html))
  if (hints.length === 0)
    return (
      <p className="mail-fine">
        <Icon of={Check} size="xs" /> Nothing in it looks like spam.
      </p>
    )
  return (
    <ul className="mail-hints" aria-label="Possible spam issues">
      {hints.map((hint) => (
        <li key={hint} className="setting-warning">
          <Icon of={TriangleAlert} size="xs" />
          {hint}
        </li>
      ))}
    </ul>
  )
}
