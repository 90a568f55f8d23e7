import type { CustomType } from '#contract/database/database-types'

/** What a type is made of, in one line. */
export function partsOf(type: CustomType): string {
  switch (type.kind) {
    case 'enum':
      return type.values.join(', ')
    case 'composite':
      return type.attributes.map(({ name, type: of }) => `${name} ${of}`).join(', ')
    case 'range':
      return `of ${type.base_type}`
    case 'domain':
      return [
        type.base_type,
        ...(type.not_null ? ['not null'] : []),
        ...(type.default_value === null ? [] : [`default ${type.default_value}`]),
        ...type.checks.map(({ definition }) => definition),
      ].join(' ')
  }
}
