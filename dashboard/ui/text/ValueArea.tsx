import type { ComponentProps } from 'react'
import { fromField, inField } from './line-ends.ts'
import { TextArea } from '../controls/TextField.tsx'

type Props = Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange'> & {
  value: string
  onText: (text: string) => void
}

/** A field for a value of a database: what one does not change of it stays as it is, line ends too. */
export function ValueArea({ value, onText, ...rest }: Props) {
  return (
    <TextArea
      {...rest}
      value={inField(value)}
      onChange={({ target }) => onText(fromField(value, target.value))}
    />
  )
}
