import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { type $ZodType, type $ZodTypes, safeEncode } from 'zod/v4/core'

/** Whether a value is already what the schema would make of it: the same fields in the same order, each of its kind. */
type IsDone = (value: unknown) => boolean

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly isDone: IsDone
}

const isString: IsDone = (value) => typeof value === 'string'
const isNumber: IsDone = (value) => Number.isFinite(value)
const isBoolean: IsDone = (value) => typeof value === 'boolean'

/** The validator itself: slower, and right for everything. */
const isDoneByValidator =
  (schema: $ZodType): IsDone =>
  (value) => {
    const { success, data } = safeEncode(schema, value)
    return success && JSON.stringify(data) === JSON.stringify(value)
  }

const isNullOr =
  (isDone: IsDone): IsDone =>
  (value) =>
    value === null || isDone(value)

function isOneOf(values: readonly unknown[]): IsDone {
  const known = new Set(values)
  return (value) => known.has(value)
}

const isArrayOf =
  (isDone: IsDone): IsDone =>
  (value) =>
    Array.isArray(value) && value.every(isDone)

const isObjectOf =
  (fields: readonly Field[]): IsDone =>
  (value) => {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
    const holder = value as Record<string, unknown>
    let next = 0
    for (const name in holder) {
      while (fields[next]?.isOptional && fields[next]?.name !== name) next++
      const field = fields[next++]
      if (field?.name !== name) return false
      const held = holder[name]
      if (!field.isDone(held) && !(field.isOptional && held === undefined)) return false
    }
    while (fields[next]?.isOptional) next++
    return next === fields.length
  }

/** Whether what a check says changes the value, or concerns several parts of it. */
const isPlain = (schema: $ZodTypes): boolean => {
  const { def } = schema._zod
  if ('coerce' in def && def.coerce === true) return false
  const checks = def.checks ?? []
  const isOne = ['string', 'number'].includes(def.type)
  return checks.every(({ _zod }) => isOne && !['overwrite', 'custom'].includes(_zod.def.check))
}

function compile(schema: $ZodType): IsDone {
  if (!isPlain(schema as $ZodTypes)) return isDoneByValidator(schema)
  const { def } = (schema as $ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return isString
    case 'number':
      return isNumber
    case 'boolean':
      return isBoolean
    case 'enum':
      return isOneOf(Object.values(def.entries))
    case 'literal':
      return isOneOf(def.values)
    case 'nullable':
      return isNullOr(compile(def.innerType))
    case 'array':
      return isArrayOf(compile(def.element))
    case 'object':
      return def.catchall ? isDoneByValidator(schema) : isObjectOf(fieldsOf(def.shape))
    default:
      return isDoneByValidator(schema)
  }
}

const fieldsOf = (shape: Readonly<Record<string, $ZodType>>): Field[] =>
  Object.entries(shape).map(([name, schema]) => {
    const { def } = (schema as $ZodTypes)._zod
    const isOptional = def.type === 'optional'
    return { name, isOptional, isDone: compile(isOptional ? def.innerType : schema) }
  })

/**
 * Answers hold the fields of their schema, in its order, and nothing else. The validator makes a copy of each answer that does. Most answers
 * are made so already: a walk that is compiled at the first answer of a route finds that out, and they are written as they are. The walk
 * looks at the kind of each value, not at the form of texts and the range of numbers, which are ours. Everything else goes to the validator.
 * An answer that is frozen is given again and again: its text is made once.
 */
export const compiledAnswers: FastifySerializerCompiler<$ZodType> = (route) => {
  const byValidator = serializerCompiler(route)
  const textOfFrozen = new WeakMap<object, string>()
  let isDone: IsDone | null = null
  function write(data: unknown): string {
    isDone ??= compile(route.schema)
    return isDone(data) ? JSON.stringify(data) : byValidator(data)
  }
  return (data) => {
    if (typeof data !== 'object' || data === null || !Object.isFrozen(data)) return write(data)
    const text = textOfFrozen.get(data) ?? write(data)
    textOfFrozen.set(data, text)
    return text
  }
}
