import { useState } from 'react'
import type { Change } from '#contract/ddl/change'
import { pgMeta } from '#contract/database/pg-meta'
import { forget } from '../../../api/client.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'

type Props = {
  projectRef: string
  /** What is described, as "books.title". */
  what: string
  before: string | null
  /** The change that makes these the words. */
  changeTo: (after: string | null) => Change
  onClose: () => void
}

/** Says what a table or column is about: first the words, then the SQL that writes them down. */
export function DescribeDialog({ projectRef, what, before, changeTo, onClose }: Props) {
  const [words, setWords] = useState(before ?? '')
  const [change, setChange] = useState<Change>()
  if (change)
    return (
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title={
          <>
            Describe <span className="mono">{what}</span>
          </>
        }
        verb="Save description"
        onClose={onClose}
        onDone={async () => {
          await forget(pgMeta.entity, pgMeta.entities)
          onClose()
        }}
      />
    )
  return (
    <Dialog
      open
      size="large"
      title={
        <>
          Describe <span className="mono">{what}</span>
        </>
      }
      onClose={onClose}
      shell={(inside) => (
        <Form
          error={undefined}
          pending={false}
          onSubmit={() => setChange(changeTo(words.trim() || null))}
        >
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            disabled={words.trim() === (before ?? '')}
          >
            Review SQL
          </Button>
        </>
      }
    >
      <TextArea
        label="Description"
        help="Stored in the database as a comment. Tools and generated types show it."
        maxLength={2000}
        rows={4}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </Dialog>
  )
}
