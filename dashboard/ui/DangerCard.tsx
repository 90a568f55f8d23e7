import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from './Card.tsx'
import { Button } from './controls/Button.tsx'

type Props = {
  title: string
  /** On the button, where it is not the title. */
  verb?: string
  /** What it does, in a sentence or two. */
  about: ReactNode
  /** What stands in its way, for those who can do something about it. */
  above?: ReactNode
  /** Why it cannot be done. */
  reason: string | false | undefined
  onAsk: () => void
  /** The dialog that asks first. */
  children: ReactNode
}

/** The card with which something is removed: what that means, and the button that asks. */
export const DangerCard = ({
  title,
  verb = title,
  about,
  above,
  reason,
  onAsk,
  children,
}: Props) => (
  <Card title={title} padded={false}>
    {above}
    <div className="set-row">
      <div className="grow">
        <p>{about}</p>
      </div>
      <Button variant="danger-quiet" icon={Trash2} disabledReason={reason} onClick={onAsk}>
        {verb}
      </Button>
    </div>
    {children}
  </Card>
)
