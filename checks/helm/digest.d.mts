export const chart: string
export const valuesFolder: string
export const renderedFolder: string
export const renderArguments: readonly string[]
export function digestOf(root: string, name: string): string
