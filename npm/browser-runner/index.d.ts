export interface Options {
    /** Further options of the command line, such as `['--temp-profile', '--viewport', '800x600']`. */
    args?: string[];
    /** Ends the program and its browser. */
    signal?: AbortSignal;
}

export interface ShotOptions extends Options {
    /** Default: jpeg. */
    format?: 'jpeg' | 'png' | 'webp';
}

/** An action with its parameters: docs/schema/instruction.schema.json. */
export interface Instruction {
    type: string;
    [parameter: string]: unknown;
}

export interface Picture {
    type: 'image';
    source: { type: 'base64'; media_type: string; data: string };
}

/** What an action did: docs/schema/response.schema.json. */
export interface Response {
    kind: 'response';
    id: number;
    type: string;
    success: boolean;
    url: string;
    title: string;
    errorCode?: string;
    error?: string;
    hint?: string;
    result?: unknown;
    screenshots?: { pre?: Picture; post?: Picture };
    [member: string]: unknown;
}

export interface Summary {
    kind: 'summary';
    actions: number;
    failed: number;
    aborted: boolean;
    durationMs: number;
    [member: string]: unknown;
}

export class BrowserRunnerError extends Error {
    /** Of the action that failed. */
    response?: Response;
    /** Of the program, or the signal that ended it. */
    exitCode?: number | string;
}

/** A browser that stays open. It is also iterated: the responses from then on, in order, until it is closed. */
export interface Stream extends AsyncIterable<Response> {
    readonly summary: Summary | null;
    /** Sends an instruction; the response also arrives if the action failed. */
    send(instruction: Instruction): Promise<Response>;
    /** Performs one action; rejects with a BrowserRunnerError if it fails. */
    act(type: string, parameters?: Record<string, unknown>): Promise<Response>;
    /** Performs what was sent, then closes the browser. */
    close(): Promise<Summary | null>;
}

/** Starts a browser with `browser-runner run -`. */
export function open(options?: Options): Stream;
/** Performs instructions in a browser of their own. */
export function run(
    instructions: Instruction[],
    options?: Options,
): Promise<{ responses: Response[]; summary: Summary | null }>;
/** Takes a picture of a page with `browser-runner shot`. */
export function shot(url: string, options?: ShotOptions): Promise<Buffer>;
/** The path of the program. */
export function program(): string;
