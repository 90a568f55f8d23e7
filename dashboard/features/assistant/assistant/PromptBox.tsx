import { ArrowUp, Square, X, Paperclip, ChevronsUpDown, FileCode2, Table2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { aiOptInLevel, type AiOptInLevel } from '#contract/organizations/ai-opt-in'
import { useAssistantPanel } from '../../../modules/assistant/assistant.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Icon, type IconType } from '../../../ui/Icon.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuChoice } from '../../../ui/floats/MenuItem.tsx'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useProject } from '../../../session/project/project.ts'
import { useAssistant } from './use-assistant.ts'
import { AttachList } from './AttachList.tsx'

const seen: Record<AiOptInLevel, string> = {
  disabled: 'The model sees nothing of this database except what you write.',
  schema: 'The model sees the names of tables and columns.',
  schema_and_log: 'The model sees tables, columns, and errors of queries that you run here.',
  schema_and_log_and_data:
    'The model sees tables, columns, and results of queries that you run here.',
}

/** What the organization shows the model, and where to change it. */
function SeenNote() {
  const { ref } = useAssistant()
  const { organizationSlug: slug } = useProject(ref)
  const { opt_in_tags: tags } = useOrganization(slug)
  const has = useHasRoute()
  const settings: string = `/org/${slug}/general`
  return (
    <p className="t12 muted">
      {seen[aiOptInLevel(tags)]}{' '}
      {has('/org/$slug/general') && (
        <Link className="link" to={settings}>
          Change
        </Link>
      )}
    </p>
  )
}

type Props = {
  chatId: string
  models: readonly string[]
  /** An answer is on its way. */
  busy: boolean
  /** Why nothing can be written here at all. */
  closedReason: string | undefined
  /** Why nothing can be sent now. */
  disabledReason: string | undefined
  /** Whether questions are answered, once the server has said it. */
  whenKnown: () => Promise<boolean>
  /** An earlier message is in the box. */
  editing: boolean
  onStopEditing: () => void
  onSend: (text: string) => void
  onStop: () => void
}

const longestText = 20_000

/** Where the next question is written. Enter sends it, Shift+Enter begins a line. */
export function PromptBox(props: Props) {
  const { models, busy, closedReason, disabledReason, whenKnown, editing } = props
  const { onStopEditing, onSend, onStop } = props
  const { ref, state, update } = useAssistant()
  const box = useRef<HTMLTextAreaElement>(null)
  const text = state.initialInput
  const requested = useAssistantPanel((panel) => panel.requested === ref)
  useEffect(() => {
    if (!requested) return
    box.current?.focus()
    useAssistantPanel.setState({ requested: undefined })
  }, [requested])
  useEffect(() => {
    if (editing) box.current?.focus()
  }, [editing])
  const empty = text.trim() === '' && 'Write a question first'
  const sendReason = disabledReason ?? (empty || undefined)

  const isEarly = useRef(false)

  async function send(): Promise<void> {
    if (busy || empty || closedReason || isEarly.current) return
    // Before it is known whether there is a model: it goes when it is known.
    isEarly.current = true
    const may = await whenKnown()
    isEarly.current = false
    if (may) onSend(text)
  }

  return (
    <form
      className="assistant-prompt"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {editing && (
        <p className="row t12 muted">
          <span className="grow">The messages after this one will be deleted.</span>
          <IconButton icon={X} iconSize="s" label="Stop editing" onClick={onStopEditing} />
        </p>
      )}
      <div className="in area" aria-disabled={closedReason ? true : undefined}>
        <AttachedChips />
        <textarea
          ref={box}
          aria-label="Question"
          placeholder={closedReason ?? 'Ask about this project'}
          rows={3}
          maxLength={longestText}
          value={text}
          disabled={closedReason !== undefined}
          onChange={({ target }) => update((before) => ({ ...before, initialInput: target.value }))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void send()
          }}
        />
        <div className="assistant-prompt-bar">
          <AttachButton disabledReason={closedReason} />
          <ModelPicker models={models} />
          <span className="grow" />
          {busy ? (
            <IconButton icon={Square} label="Stop" variant="secondary" onClick={onStop} />
          ) : (
            <IconButton
              icon={ArrowUp}
              label="Send"
              keys="enter"
              variant="primary"
              disabledReason={sendReason}
              onClick={() => void send()}
            />
          )}
        </div>
      </div>
      <SeenNote />
    </form>
  )
}

/** Puts tables and saved queries beside the next question. */
function AttachButton({ disabledReason }: { disabledReason: string | undefined }) {
  const [open, setOpen] = useState(false)
  const button = (
    <IconButton
      icon={Paperclip}
      label="Attach tables and queries"
      disabledReason={disabledReason}
    />
  )
  if (disabledReason) return button
  return (
    <Popover label="Attach" open={open} onOpenChange={setOpen} trigger={button}>
      <div className="swt">
        <AttachList onDone={() => setOpen(false)} />
      </div>
    </Popover>
  )
}

/** Which model answers. One that the operator took away gives way to their first. */
function ModelPicker({ models }: { models: readonly string[] }) {
  const { state, update } = useAssistant()
  const [first] = models
  if (first === undefined) return null
  const model = models.includes(state.model) ? state.model : first
  if (models.length === 1) return <span className="t12 faint ell">{model}</span>
  return (
    <Menu
      label="Model"
      trigger={
        <button type="button" className="btn gho assistant-model" aria-label={`Model: ${model}`}>
          <span className="ell">{model}</span>
          <Icon of={ChevronsUpDown} size="xs" />
        </button>
      }
    >
      <MenuChoice
        label="Model"
        options={models.map((name) => ({ value: name, label: name }))}
        value={model}
        onChange={(name) => update((before) => ({ ...before, model: name }))}
      />
    </Menu>
  )
}

/** What the next question takes along. */
function AttachedChips() {
  const { state, update } = useAssistant()
  const { sqlSnippets, tables } = state
  if (sqlSnippets.length + tables.length === 0) return null
  return (
    <ul className="assistant-chips" aria-label="Attached">
      {sqlSnippets.map((snippet) => (
        <Chip
          key={`q ${snippet.name} ${snippet.sql}`}
          icon={FileCode2}
          name={snippet.name}
          onRemove={() =>
            update((before) => ({
              ...before,
              sqlSnippets: before.sqlSnippets.filter((one) => one !== snippet),
            }))
          }
        />
      ))}
      {tables.map((table) => (
        <Chip
          key={`t ${table.schema}.${table.name}`}
          icon={Table2}
          name={`${table.schema}.${table.name}`}
          onRemove={() =>
            update((before) => ({
              ...before,
              tables: before.tables.filter((one) => one !== table),
            }))
          }
        />
      ))}
    </ul>
  )
}

function Chip({ icon, name, onRemove }: { icon: IconType; name: string; onRemove: () => void }) {
  return (
    <li className="badge">
      <Icon of={icon} />
      <span className="ell">{name}</span>
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </li>
  )
}
