import { useState } from 'react'
import type { ConditionFilter } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { TextArea } from '../../../../ui/controls/TextArea.tsx'

type Props = { condition: string; onDone: (filter: ConditionFilter) => void }

/** A condition on the row in SQL. */
export function ConditionForm({ condition, onDone }: Props) {
  const [text, setText] = useState(condition)
  return (
    <Form
      className="form-stack"
      error={undefined}
      pending={false}
      onSubmit={() => text.trim() && onDone({ condition: text.trim() })}
    >
      <TextArea
        label="SQL condition"
        mono
        rows={4}
        spellCheck={false}
        maxLength={10_000}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
        autoFocus
        placeholder="price > cost * 2"
        help="An expression that is true for the rows to show. It runs with your rights."
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }
        }}
      />
      <Button type="submit" size="form" variant="primary" disabled={!text.trim()}>
        Filter
      </Button>
    </Form>
  )
}
