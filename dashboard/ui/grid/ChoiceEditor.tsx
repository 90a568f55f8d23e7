import type { ProvideEditorComponent } from '@glideapps/glide-data-grid'
import { useEffect } from 'react'
import { OptionList } from '../lists/OptionList.tsx'
import { withText, type OurCell } from './cell-value.ts'
import { attend } from './type-ahead.ts'
import { useHeldFocus } from './use-held-focus.ts'

const nullChoice = '\u0000null'

type Props = Parameters<ProvideEditorComponent<OurCell>>[0]

/** One of the values that a type has. */
export function ChoiceEditor({ value, onFinishedEditing, target }: Props) {
  const { column, typeAhead } = value.data
  const values = column.editor === 'bool' ? ['true', 'false'] : (column.choices ?? [])
  const options = [
    ...values.map((choice) => ({ value: choice, label: choice })),
    ...(column.nullable ? [{ value: nullChoice, label: 'NULL' }] : []),
  ]
  const text = value.data.view.text
  const box = useHeldFocus<HTMLDivElement>()
  // The list is searched by what is typed once it has the focus.
  useEffect(() => attend(typeAhead, () => undefined), [typeAhead])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter chooses; the grid must not take it as well
    <div
      ref={box}
      className="cell-editor"
      style={{ minWidth: Math.max(target.width, 160) }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.stopPropagation()
      }}
    >
      <OptionList
        label={`Value of ${column.name}`}
        options={options}
        value={text ?? nullChoice}
        search="Find a value"
        onSelect={(chosen) => {
          onFinishedEditing(withText(value, chosen === nullChoice ? null : chosen), [0, 0])
        }}
      />
    </div>
  )
}
