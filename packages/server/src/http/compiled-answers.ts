import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { type $ZodType, type $ZodTypes, safeEncode } from 'zod/v4/core'

/** Writes a value as JSON; undefined: it is not what the schema says, or it is none of the plain cases. */
type Write = (value: unknown) => string | undefined

interface Field {
  readonly name: string
  /** The name as it stands in the answer, with its colon. */
  readonly head: string
  readonly isOptional: boolean
  readonly write: Write
}

/** What JSON writes otherwise than it reads: quotes, backslashes, control characters, and halves of a pair. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u

const writeString: Write = (value) => {
  if (typeof value !== 'string') return undefined
  return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`
}
const writeNumber: Write = (value) => (Number.isFinite(value) ? String(value) : undefined)
const writeBoolean: Write = (value) => (typeof value === 'boolean' ? String(value) : undefined)

/** The validator itself: slower, and right for everything. */
const writeByValidator =
  (schema: $ZodType): Write =>
  (value) => {
    const { success, data } = safeEncode(schema, value)
    return success ? JSON.stringify(data) : undefined
  }

const writeNullable =
  (write: Write): Write =>
  (value) =>
    value === null ? 'null' : write(value)

function writeOneOf(values: readonly unknown[]): Write {
  const texts = new Map(values.map((value) => [value, JSON.stringify(value)]))
  return (value) => texts.get(value)
}

const writeArray =
  (write: Write): Write =>
  (value) => {
    if (!Array.isArray(value)) return undefined
    let text = ''
    for (const element of value) {
      const part = write(element)
      if (part === undefined) return undefined
      text = text === '' ? part : `${text},${part}`
    }
    return `[${text}]`
  }

const writeObject =
  (fields: readonly Field[]): Write =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const holder = value as Record<string, unknown>
    let text = ''
    for (const { name, head, isOptional, write } of fields) {
      const held = holder[name]
      if (held === undefined && isOptional) continue
      const part = write(held)
      if (part === undefined) return undefined
      text = text === '' ? head + part : `${text},${head}${part}`
    }
    return `{${text}}`
  }

/** Whether what a check says changes the value, or concerns several parts of it. */
const isPlain = (schema: $ZodTypes): boolean => {
  const { def } = schema._zod
  if ('coerce' in def && def.coerce === true) return false
  const checks = def.checks ?? []
  const isOne = ['string', 'number'].includes(def.type)
  return checks.every(({ _zod }) => isOne && !['overwrite', 'custom'].includes(_zod.def.check))
}

function compile(schema: $ZodType): Write {
  if (!isPlain(schema as $ZodTypes)) return writeByValidator(schema)
  const { def } = (schema as $ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return writeString
    case 'number':
      return writeNumber
    case 'boolean':
      return writeBoolean
    case 'enum':
      return writeOneOf(Object.values(def.entries))
    case 'literal':
      return writeOneOf(def.values)
    case 'nullable':
      return writeNullable(compile(def.innerType))
    case 'array':
      return writeArray(compile(def.element))
    case 'object':
      return def.catchall ? writeByValidator(schema) : writeObject(fieldsOf(def.shape))
    default:
      return writeByValidator(schema)
  }
}

const fieldsOf = (shape: Readonly<Record<string, $ZodType>>): Field[] =>
  Object.entries(shape).map(([name, schema]) => {
    const { def } = (schema as $ZodTypes)._zod
    const isOptional = def.type === 'optional'
    const write = compile(isOptional ? def.innerType : schema)
    return { name, head: `${JSON.stringify(name)}:`, isOptional, write }
  })

/**
 * Answers hold the fields of their schema, in its order, and nothing else. The validator walks through a schema for each answer; here the
 * walk is made once, at the first answer of a route. We check the kind of each value, not the form of texts and the range of numbers, which
 * are ours. What does not fit goes to the validator, which knows the rest or says what is wrong.
 */
export const compiledAnswers: FastifySerializerCompiler<$ZodType> = (route) => {
  const bySchema = serializerCompiler(route)
  let write: Write | null = null
  return (data) => {
    write ??= compile(route.schema)
    return write(data) ?? bySchema(data)
  }
}
