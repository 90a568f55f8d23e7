import type { Index } from '#contract/database/database-object-shapes'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { bytesText } from '../../../ui/text/bytes.ts'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { heldBy } from './drop-words.tsx'
import type { IndexMark } from './index-marks.ts'
import { sentenceOf } from './MarkBadges.tsx'
import { numberText } from '../../../ui/text/number.ts'

type Props = {
  index: Index
  marks: readonly IndexMark[]
  why: string | undefined
  onDrop: () => void
  onClose: () => void
}

/** One index: its definition, what it weighs, and what is wrong with it. */
export function IndexPanel({ index, marks, why, onDrop, onClose }: Props) {
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={<span className="mono">{index.name}</span>}
      footer={
        <Button size="form" variant="danger" disabledReason={why ?? heldBy(index)} onClick={onDrop}>
          Drop index
        </Button>
      }
    >
      {marks.map((mark) => (
        <Alert
          key={mark.kind}
          variant={mark.kind === 'invalid' ? 'danger' : 'warning'}
          title={sentenceOf(mark)}
        />
      ))}
      <CodeBlock code={`${index.index_definition};`} language="sql" what="Definition" />
      <dl className="defs">
        <dt>Table</dt>
        <dd className="mono">
          {index.schema}.{index.table}
        </dd>
        <dt>Size</dt>
        <dd>{bytesText(index.bytes)}</dd>
        <dt>Scans</dt>
        <dd>{numberText(index.scans)}</dd>
        <dt>Last scan</dt>
        <dd>{index.last_scan ? <Time at={index.last_scan} /> : 'Never'}</dd>
        {index.constraint && (
          <>
            <dt>Constraint</dt>
            <dd className="mono">{index.constraint}</dd>
          </>
        )}
        {index.comment && (
          <>
            <dt>Comment</dt>
            <dd>{index.comment}</dd>
          </>
        )}
      </dl>
    </SidePanel>
  )
}
