import { Eraser, Pause, Play, Waves } from 'lucide-react'
import { useState, type UIEvent } from 'react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { kinds, matching, maxKept, type Heard, type Kind, type Message } from './inspection.ts'

/** Pixels of a row, and how many more than are in sight are drawn on either side. */
const rowHeight = 32
const spare = 20

export const kindNames: Record<Kind, string> = {
  broadcast: 'Broadcast',
  presence: 'Presence',
  change: 'Change',
  system: 'System',
}

type Props = { heard: Heard; joined: boolean; onClear: () => void }

/** What came over the channel, the newest first; of thousands of rows only those in sight are drawn. */
export function MessageList({ heard, joined, onClear }: Props) {
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const [words, setWords] = useState('')
  const [paused, setPaused] = useState<Heard>()
  const [open, setOpen] = useState<Message>()
  const { messages, counts } = paused ?? heard
  const total = (of: Heard['counts']) => kinds.reduce((sum, each) => sum + of[each], 0)
  const shown = matching(messages, kind, words)
  const missed = paused ? total(heard.counts) - total(paused.counts) : 0
  return (
    <section className="inspect-list" aria-label="Messages">
      <div className="object-bar">
        <Select
          label="Kind"
          size="tool"
          options={[
            { value: 'all' as const, label: `All ${numberText(total(counts))}` },
            ...kinds.map((each) => ({
              value: each,
              label: `${kindNames[each]} ${numberText(counts[each])}`,
            })),
          ]}
          value={kind}
          onChange={setKind}
        />
        <SearchField label="Find in messages" value={words} onChange={setWords} />
        <IconButton
          icon={paused ? Play : Pause}
          label={paused ? 'Resume' : 'Pause'}
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused ? undefined : heard)}
        />
        <IconButton
          icon={Eraser}
          label="Clear"
          disabledReason={total(heard.counts) === 0 && 'There is nothing to clear'}
          onClick={() => {
            setPaused(undefined)
            onClear()
          }}
        />
      </div>
      {paused && <output className="help">Paused. {numberText(missed)} came since.</output>}
      {total(counts) > maxKept && (
        <p className="help">The newest {numberText(maxKept)} are kept.</p>
      )}
      {shown.length > 0 ? (
        <Rows messages={shown} onOpen={setOpen} />
      ) : (
        <EmptyState icon={Waves} title={messages.length > 0 ? 'No message matches' : 'Nothing yet'}>
          {messages.length > 0
            ? 'No message of this kind contains these words.'
            : joined
              ? 'Messages on the channel appear here as they arrive.'
              : 'Choose a channel and start listening.'}
        </EmptyState>
      )}
      {open && <MessagePanel message={open} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

type RowsProps = { messages: readonly Message[]; onOpen: (message: Message) => void }

function Rows({ messages, onOpen }: RowsProps) {
  const [sight, setSight] = useState({ from: 0, to: 60 })
  function look({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLElement>) {
    const first = Math.floor(scrollTop / rowHeight / 10) * 10
    const from = Math.max(0, first - spare)
    const to = first + Math.ceil(clientHeight / rowHeight) + 10 + spare
    if (from !== sight.from || to !== sight.to) setSight({ from, to })
  }
  const from = Math.min(sight.from, messages.length)
  const to = Math.min(sight.to, messages.length)
  return (
    <div className="inspect-rows" onScroll={look}>
      <div style={{ height: from * rowHeight }} />
      {messages.slice(from, to).map((message) => (
        <button
          key={message.id}
          type="button"
          className="inspect-row"
          onClick={() => onOpen(message)}
        >
          <span className="mono faint">{timeOf(message.at)}</span>
          <span className="inspect-kind">{kindNames[message.kind]}</span>
          <span className="mono ell">{message.title}</span>
        </button>
      ))}
      <div style={{ height: (messages.length - to) * rowHeight }} />
    </div>
  )
}

const timeOf = (at: number) => new Date(at).toISOString().slice(11, 23)

/** One message, as it came. */
function MessagePanel({ message, onClose }: { message: Message; onClose: () => void }) {
  return (
    <SidePanel open title={message.title} onClose={onClose}>
      <p className="muted">{new Date(message.at).toISOString()}</p>
      <CodeBlock language="js" what="message" code={JSON.stringify(message.payload, null, 2)} />
    </SidePanel>
  )
}
