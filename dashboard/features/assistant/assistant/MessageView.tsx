import { FileCode2, Pencil, Table2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { MessagePart } from '#contract/assistant/assistant'
import type { Message } from '../../../modules/assistant/assistant-state.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { BlockContext, type Ask } from './block-context.ts'
import { textOf } from './question.ts'

const Markdown = lazy(() => import('./Markdown.tsx').then((m) => ({ default: m.Markdown })))

type Props = {
  chatId: string
  message: Message
  /** More of it is to come. */
  writing: boolean
  editReason: string | undefined
  onEdit: () => void
  onAsk: Ask
}

export function MessageView({ chatId, message, writing, editReason, onEdit, onAsk }: Props) {
  const text = textOf(message)
  if (message.role === 'user')
    return (
      <article className="assistant-said" aria-label="You">
        <Attached parts={message.parts} />
        <p>{text}</p>
        <span className="assistant-tools">
          <IconButton
            icon={Pencil}
            iconSize="s"
            label="Edit and ask again"
            disabledReason={editReason}
            onClick={onEdit}
          />
          <CopyButton text={text} what="message" />
        </span>
      </article>
    )
  return (
    <article className="assistant-answer" aria-label="Assistant" aria-busy={writing || undefined}>
      <BlockContext value={{ chatId, message, writing, onAsk }}>
        <Suspense fallback={<Skeleton width="80%" />}>
          <Markdown text={text} />
        </Suspense>
      </BlockContext>
      {!writing && (
        <span className="assistant-tools">
          <CopyButton text={text} what="answer" />
        </span>
      )}
    </article>
  )
}

function Attached({ parts }: { parts: readonly MessagePart[] }) {
  const chips = parts.flatMap((part) => {
    if (part.type === 'snippet') return [{ icon: FileCode2, name: part.name }]
    return part.type === 'table' ? [{ icon: Table2, name: `${part.schema}.${part.name}` }] : []
  })
  if (chips.length === 0) return null
  return (
    <ul className="assistant-chips" aria-label="Attached">
      {chips.map(({ icon, name }) => (
        <li key={name} className="badge">
          <Icon of={icon} />
          <span className="ell">{name}</span>
        </li>
      ))}
    </ul>
  )
}
