import { Sparkles } from 'lucide-react'
import { setAssistantOpen, useAssistantPanel } from '../modules/assistant/assistant.ts'
import { usePreferences } from '../session/identity/preferences.ts'
import { useWhere } from '../session/project/where.ts'
import { IconButton } from '../ui/controls/IconButton.tsx'

/** Opens and closes the assistant of the project one is in; there is none elsewhere. */
export function AssistantButton() {
  const { ref } = useWhere()
  const open = useAssistantPanel((panel) => (ref ? panel.open[ref] : undefined)) ?? false
  const hotkey = usePreferences((p) => p.assistantHotkey)
  if (!ref) return null
  return (
    <IconButton
      icon={Sparkles}
      label="Assistant"
      keys={hotkey ? 'mod+i' : undefined}
      aria-pressed={open}
      onClick={() => void setAssistantOpen(ref, !open)}
    />
  )
}
