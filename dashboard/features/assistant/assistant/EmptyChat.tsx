import { useLocation } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ideasAt } from './ideas.ts'
import { useAssistant } from './use-assistant.ts'

type Props = { disabledReason: string | undefined; onAsk: (text: string) => void }

/** A chat without a message: what can be asked, as whoever opened it suggests or as it fits the page. */
export function EmptyChat({ disabledReason, onAsk }: Props) {
  const { suggestions } = useAssistant().state
  const pathname = useLocation({ select: ({ pathname: at }) => at })
  const shown = suggestions.length > 0 ? suggestions : ideasAt(pathname)
  return (
    <div className="assistant-empty scroll">
      <EmptyState
        icon={Sparkles}
        title="Ask about this project"
        action={
          <ul className="assistant-ideas" aria-label="Suggestions">
            {shown.map((idea) => (
              <li key={idea}>
                <Button disabledReason={disabledReason} onClick={() => onAsk(idea)}>
                  {idea}
                </Button>
              </li>
            ))}
          </ul>
        }
      >
        A model writes the answers, and they can be wrong. SQL runs only when you run it.
      </EmptyState>
    </div>
  )
}
