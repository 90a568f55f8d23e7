import { Sparkles } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useAssistant } from './use-assistant.ts'

const ideas = [
  'Which tables are the largest?',
  'Explain how my tables are related',
  'Write a policy so that people only see their own rows',
]

type Props = { disabledReason: string | undefined; onAsk: (text: string) => void }

/** A chat without a message: what can be asked. */
export function EmptyChat({ disabledReason, onAsk }: Props) {
  const { suggestions } = useAssistant().state
  const shown = suggestions.length > 0 ? suggestions : ideas
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
