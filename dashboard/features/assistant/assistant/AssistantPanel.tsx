import { useQuery } from '@tanstack/react-query'
import { X, SquarePen } from 'lucide-react'
import { assistant as api } from '#contract/assistant/assistant'
import { q, queryClient } from '../../../api/client.ts'
import { setAssistantOpen } from '../../../modules/assistant/assistant.ts'
import { activeChat, createChat } from '../../../modules/assistant/assistant-state.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { ChatMenu } from './ChatMenu.tsx'
import { ChatSwitcher } from './ChatSwitcher.tsx'
import { ChatView } from './ChatView.tsx'
import { AssistantContext, useAssistantOf, useAssistant } from './use-assistant.ts'
import './assistant.css'

/** What could not be asked is told where the answer would be. */
const whenKnown = () =>
  queryClient.ensureQueryData(q(api.status, {})).then(
    ({ configured }) => configured,
    () => false,
  )

/** The assistant at the right of a project's pages: its chats, and what can be asked. */
export function AssistantPanel({ projectRef }: { projectRef: string }) {
  const assistant = useAssistantOf(projectRef)
  const why = useDenials(useProject(projectRef))(api.ask)
  const { data: status, error, refetch } = useQuery(q(api.status, {}))
  const chat = activeChat(assistant.state)
  return (
    <AssistantContext value={assistant}>
      <aside className="assistant" aria-label="Assistant">
        <header className="assistant-head">
          <ChatSwitcher />
          <NewChatButton />
          {chat && <ChatMenu key={chat.id} chat={chat} />}
          <IconButton
            icon={X}
            label="Close the assistant"
            onClick={() => void setAssistantOpen(projectRef, false)}
          />
        </header>
        {chat && (
          <ChatView
            key={chat.id}
            chat={chat}
            status={status}
            statusError={error}
            onRetryStatus={() => void refetch()}
            whenKnown={whenKnown}
            denial={why}
          />
        )}
      </aside>
    </AssistantContext>
  )
}

function NewChatButton() {
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
