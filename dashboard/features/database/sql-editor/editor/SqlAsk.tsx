import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { assistant, type MessagePart } from '#contract/assistant/assistant'
import { messageOf, q } from '../../../../api/client.ts'
import { NoModel } from '../../../../modules/assistant/NoModel.tsx'
import { askOnce, sqlIn } from '../../../../session/identity/ask-once.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CodeDiff } from '../../../../ui/text/CodeDiff.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import type { Picked } from './sql-box.ts'

type Props = {
  projectRef: string
  /** What the change is about: the selection, else the whole text. */
  picked: () => Picked | undefined
  onAccept: (change: Rewrite) => void
  onClose: () => void
}

/** Asks the assistant for a change of the text, and shows it before anything is changed. */
export function SqlAsk({ projectRef, picked, onAccept, onClose }: Props) {
  const [wish, setWish] = useState('')
  const [about, setAbout] = useState(picked)
  const { data: status } = useQuery(q(assistant.status, {}))
  const abort = useRef<AbortController>(undefined)
  const ask = useMutation({
    mutationFn: async (target: Picked) => {
      abort.current = new AbortController()
      return rewrite(projectRef, target, wish.trim(), abort.current.signal)
    },
  })
  useEffect(() => () => abort.current?.abort(), [])
  const isPart = about !== undefined && about.sql !== about.text
  const tooLong = (about?.sql.length ?? 0) > longestAsked

  function send() {
    const target = picked()
    setAbout(target)
    if (target && wish.trim() && target.sql.length <= longestAsked) ask.mutate(target)
  }
  function stop() {
    abort.current?.abort()
    ask.reset()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape from any field of it
    <section
      className="sql-ask"
      aria-label="Ask for a change"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      {status?.configured === false && <NoModel />}
      <form
        className="sql-ask-line"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Icon of={Sparkles} />
        <input
          className="in f"
          aria-label={isPart ? 'What to change in the selection' : 'What to write or change'}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
          autoFocus
          autoComplete="off"
          maxLength={4000}
          placeholder={
            isPart ? 'Change the selection: what should it do?' : 'What should this query do?'
          }
          value={wish}
          onChange={({ target }) => setWish(target.value)}
        />
        {ask.isPending ? (
          <Button size="form" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button
            type="submit"
            size="form"
            variant={ask.data ? undefined : 'primary'}
            disabledReason={status?.configured === false && 'No model is configured'}
            disabled={!wish.trim()}
          >
            {ask.data ? 'Ask again' : 'Ask'}
          </Button>
        )}
        <IconButton icon={X} label="Close" onClick={onClose} />
      </form>
      {tooLong && (
        <p className="err">
          Select a part: the assistant reads at most {numberText(longestAsked)} characters.
        </p>
      )}
      {ask.isPending && <output className="t12 muted">Thinking</output>}
      {ask.error && <Alert variant="danger" title={messageOf(ask.error)} />}
      {ask.data && (
        <>
          {ask.data.words && <p className="t12 muted">{ask.data.words}</p>}
          <div style={{ '--lines': linesOf(ask.data) }}>
            <CodeDiff
              language="sql"
              label="The change"
              before={ask.data.before}
              after={ask.data.after}
            />
          </div>
          <div className="row">
            <span className="grow" />
            <Button size="form" onClick={ask.reset}>
              Reject
            </Button>
            <Button size="form" variant="primary" onClick={() => onAccept(ask.data)}>
              Accept
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

const linesOf = ({ before, after }: Rewrite) =>
  Math.max(before.split('\n').length, after.split('\n').length)

/** A text that is longer cannot be sent whole, and is not changed by half. */
const longestAsked = 30_000

/** What the assistant would make of a text. */
export type Rewrite = { before: string; after: string; words: string }

const rules =
  'Answer with exactly one fenced sql block, which replaces it, and at most two short sentences before the block. Keep what the request does not touch as it is written.'

function partsOf(picked: string, wish: string): MessagePart[] {
  if (!picked.trim()) {
    const text = `Write SQL that does what follows. Answer with exactly one fenced sql block and at most two short sentences before it.\n\n${wish}`
    return [{ type: 'text', text }]
  }
  const text = `Change the attached SQL as follows. ${rules}\n\n${wish}`
  return [
    { type: 'snippet', name: 'SQL', sql: picked },
    { type: 'text', text },
  ]
}

/**
 * Asks for a change of what is picked in a text.
 * @throws CallError when there is no answer, or none with SQL in it
 */
async function rewrite(
  ref: string,
  { sql, offset, text }: Picked,
  wish: string,
  signal: AbortSignal,
): Promise<Rewrite> {
  const { sql: made, words } = sqlIn(await askOnce(ref, partsOf(sql, wish), signal))
  if (made === undefined) throw new Error(words || 'The answer has no SQL')
  const after = text.slice(0, offset) + made + text.slice(offset + sql.length)
  return { before: text, after, words }
}
