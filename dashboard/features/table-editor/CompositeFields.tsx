import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { readComposite, writeComposite } from './composite.ts'

export type Attribute = { name: string; type: string }

type Props = {
  attributes: readonly Attribute[]
  /** The whole value; null is NULL. */
  text: string | null
  disabled: boolean
  onText: (text: string) => void
}

/** A composite value by its fields. Only for a text that has these fields, or none at all. */
export function CompositeFields({ attributes, text, disabled, onText }: Props) {
  const fields = fieldsOf(text, attributes.length) ?? []
  const put = (at: number, value: string | null) =>
    onText(writeComposite(attributes.map((_, i) => (i === at ? value : (fields[i] ?? null)))))
  return (
    <div className="composite form-stack">
      {attributes.map(({ name, type }, at) => {
        const value = fields[at] ?? null
        const control = {
          label: (
            <span className="row">
              <span className="ell">{name}</span>
              <span className="mono faint">{type}</span>
            </span>
          ),
          labelEnd: !disabled && (
            <span className="row field-values">
              <button type="button" className="link" onClick={() => put(at, null)}>
                NULL
              </button>
            </span>
          ),
          mono: true,
          disabled,
          spellCheck: false,
          placeholder: value === null ? 'NULL' : 'EMPTY',
          value: value ?? '',
        }
        return type === 'text' ? (
          <TextArea
            key={name}
            {...control}
            rows={2}
            onChange={(event) => put(at, event.target.value)}
          />
        ) : (
          <TextField key={name} {...control} onChange={(event) => put(at, event.target.value)} />
        )
      })}
    </div>
  )
}

/** Undefined: a text that is not such a value, which is edited as text. */
export const fieldsOf = (text: string | null, count: number) =>
  text === null ? Array.from({ length: count }, () => null) : readComposite(text, count)
