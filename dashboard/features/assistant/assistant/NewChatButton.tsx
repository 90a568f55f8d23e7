import { SquarePen } from 'lucide-react'
import { activeChat, createChat } from '../../../modules/assistant/assistant-state.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { useAssistant } from './use-assistant.ts'

export function NewChatButton() {
  const { state, update } = useAssistant()
  // Another empty chat beside an empty one would only be noise in the list.
  const isEmpty = activeChat(state)?.messages.length === 0
  return (
    <IconButton
      icon={SquarePen}
      label="New chat"
      disabledReason={isEmpty && 'This chat is new'}
      onClick={() => update((before, now) => createChat(before, now))}
    />
  )
}
