import { ArrowUp, Square, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useAssistantPanel } from '../../../modules/assistant/assistant.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { AttachButton } from './AttachButton.tsx'
import { AttachedChips } from './AttachedChips.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { SeenNote } from './SeenNote.tsx'
import { useAssistant } from './use-assistant.ts'

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
  const wanted = useAssistantPanel((panel) => panel.wanted === ref)
  useEffect(() => {
    if (!wanted) return
    box.current?.focus()
    useAssistantPanel.setState({ wanted: undefined })
  }, [wanted])
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
