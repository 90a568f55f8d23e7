import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import type { Message } from './messages.ts'

/** One message, as it came. */
export function MessagePanel({ message, onClose }: { message: Message; onClose: () => void }) {
  return (
    <SidePanel open title={message.title} onClose={onClose}>
      <p className="muted">{new Date(message.at).toISOString()}</p>
      <CodeBlock language="js" what="message" code={JSON.stringify(message.payload, null, 2)} />
    </SidePanel>
  )
}
