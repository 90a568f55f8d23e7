import { Button } from '../../../../ui/controls/Button.tsx'
import { Callout } from '../../../../ui/Callout.tsx'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'

type Props = { conditions: readonly string[]; onRun: () => void; onRemove: () => void }

/** In place of the rows, while SQL of somebody else's waits to be read. */
export function ConditionsFirst({ conditions, onRun, onRemove }: Props) {
  return (
    <div className="definition scroll">
      <Callout type="warning" title="This view filters by SQL">
        <p>
          The SQL runs with your rights, and can read whatever you can read. Run it only if you
          understand it.
        </p>
      </Callout>
      {conditions.map((condition) => (
        <CodeBlock key={condition} code={condition} language="sql" what="SQL condition" />
      ))}
      <div className="row">
        <Button variant="primary" onClick={onRun}>
          Run the SQL
        </Button>
        <Button onClick={onRemove}>Remove the SQL</Button>
      </div>
    </div>
  )
}
