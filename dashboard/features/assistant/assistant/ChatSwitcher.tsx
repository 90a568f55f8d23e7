import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { activeChat, chatsByTime, selectChat } from '../../../modules/assistant/assistant-state.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { ago } from '../../../ui/text/time.ts'
import { useAssistant } from './use-assistant.ts'

/** The chat one is in, and behind it the list of all to search and choose from. */
export function ChatSwitcher() {
  const { state, update } = useAssistant()
  // The time at which it was opened; undefined while it is closed.
  const [openedAt, setOpenedAt] = useState<Date>()
  const chat = activeChat(state)
  return (
    <div className="grow assistant-title">
      <Popover
        label="Chats"
        open={openedAt !== undefined}
        onOpenChange={(open) => setOpenedAt(open ? new Date() : undefined)}
        trigger={
          <button
            type="button"
            className="crumb"
            aria-haspopup="listbox"
            aria-label={`Chat: ${chat?.name ?? ''}`}
          >
            <h2 className="ell">{chat?.name}</h2>
            <Icon of={ChevronsUpDown} size="xs" />
          </button>
        }
      >
        <div className="swt assistant-chats">
          <OptionList
            label="Chats"
            search="Find a chat"
            nothing="No chat has this name"
            options={chatsByTime(state).map(({ id, name, updatedAt }) => ({
              value: id,
              label: name,
              end: ago(new Date(updatedAt), openedAt ?? new Date(updatedAt)),
            }))}
            value={chat?.id}
            onSelect={(id) => {
              update((before) => selectChat(before, id))
              setOpenedAt(undefined)
            }}
          />
        </div>
      </Popover>
    </div>
  )
}
