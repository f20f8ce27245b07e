/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of names, sorted for a binary search, and a few beginnings of names. A name that is not
 * in it belongs to a task or to something that DevTools does not colour either. */
#include "config.h"

#include "model/slice_work.h"

#include "base/alloc.h"
#include "base/str.h"
#include "model/frame.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

/* How DevTools shows it: whose time it is. */
enum shown {
	DRAWN,  /* of its kind of work */
	HIDDEN, /* of the slice around it; only its colour is that of its kind */
	OTHER   /* of another kind, which is none of ours */
};

struct named {
	const char *name;
	uint8_t work;
	uint8_t shown;
};

/* clang-format off */
static const struct named by_name[] = {
	{ "AbortPostTaskCallback", WORK_SCRIPTING, DRAWN },
	{ "Animation", WORK_RENDERING, DRAWN },
	{ "AnimationFrame::Render", WORK_RENDERING, HIDDEN },
	{ "AnimationFrame::Script::Execute", WORK_SCRIPTING, HIDDEN },
	{ "AnimationFrame::StyleAndLayout", WORK_RENDERING, HIDDEN },
	{ "BeginCommitCompositorFrame", WORK_PAINTING, HIDDEN },
	{ "BeginFrame", WORK_RENDERING, HIDDEN },
	{ "BeginMainThreadFrame", WORK_RENDERING, HIDDEN },
	{ "BlinkGC.AtomicPhase", WORK_GC, DRAWN },
	{ "CSSParserImpl::parseStyleSheet", WORK_LOADING, HIDDEN },
	{ "CancelAnimationFrame", WORK_SCRIPTING, DRAWN },
	{ "CancelIdleCallback", WORK_SCRIPTING, DRAWN },
	{ "Commit", WORK_PAINTING, DRAWN },
	{ "CompositeLayers", WORK_PAINTING, DRAWN },
	{ "ComputeIntersections", WORK_RENDERING, DRAWN },
	{ "ConsoleTime", WORK_SCRIPTING, DRAWN },
	{ "CppGC.IncrementalSweep", WORK_GC, DRAWN },
	{ "CpuProfiler::StartProfiling", WORK_SYSTEM, DRAWN },
	{ "Decode Image", WORK_PAINTING, DRAWN },
	{ "Decode LazyPixelRef", WORK_PAINTING, HIDDEN },
	{ "DoDecrypt", WORK_SCRIPTING, DRAWN },
	{ "DoDecryptReply", WORK_SCRIPTING, DRAWN },
	{ "DoDigest", WORK_SCRIPTING, DRAWN },
	{ "DoDigestReply", WORK_SCRIPTING, DRAWN },
	{ "DoEncrypt", WORK_SCRIPTING, DRAWN },
	{ "DoEncryptReply", WORK_SCRIPTING, DRAWN },
	{ "DoSign", WORK_SCRIPTING, DRAWN },
	{ "DoSignReply", WORK_SCRIPTING, DRAWN },
	{ "DoVerify", WORK_SCRIPTING, DRAWN },
	{ "DoVerifyReply", WORK_SCRIPTING, DRAWN },
	{ "Document::recalcStyle", WORK_RENDERING, HIDDEN },
	{ "Document::updateStyle", WORK_RENDERING, HIDDEN },
	{ "Draw LazyPixelRef", WORK_PAINTING, HIDDEN },
	{ "DrawFrame", WORK_RENDERING, HIDDEN },
	{ "EmbedderCallback", WORK_SCRIPTING, DRAWN },
	{ "EvaluateScript", WORK_SCRIPTING, DRAWN },
	{ "EventDispatch", WORK_SCRIPTING, DRAWN },
	{ "EventTiming", WORK_SCRIPTING, OTHER },
	{ "FireAnimationFrame", WORK_SCRIPTING, DRAWN },
	{ "FireIdleCallback", WORK_SCRIPTING, DRAWN },
	{ "FrameStartedLoading", WORK_LOADING, HIDDEN },
	{ "FunctionCall", WORK_SCRIPTING, DRAWN },
	{ "GCEvent", WORK_GC, DRAWN },
	{ "GPUTask", WORK_PAINTING, DRAWN },
	{ "HTMLDocumentParser::ParseHTML", WORK_LOADING, HIDDEN },
	{ "HandlePostMessage", WORK_SCRIPTING, OTHER },
	{ "HitTest", WORK_RENDERING, DRAWN },
	{ "ImageDecodeTask", WORK_PAINTING, HIDDEN },
	{ "ImageUploadTask", WORK_PAINTING, HIDDEN },
	{ "IntersectionObserverController::computeIntersections", WORK_RENDERING, HIDDEN },
	{ "InvalidateLayout", WORK_RENDERING, HIDDEN },
	{ "JSFrame", WORK_SCRIPTING, DRAWN },
	{ "JSSample", WORK_SCRIPTING, DRAWN },
	{ "LayerTreeHost::DoUpdateLayers", WORK_PAINTING, HIDDEN },
	{ "Layerize", WORK_RENDERING, DRAWN },
	{ "Layout", WORK_RENDERING, DRAWN },
	{ "LayoutInvalidationTracking", WORK_RENDERING, HIDDEN },
	{ "LayoutShift", WORK_RENDERING, HIDDEN },
	{ "LocalFrameView::layout", WORK_RENDERING, HIDDEN },
	{ "LocalFrameView::performLayout", WORK_RENDERING, HIDDEN },
	{ "MajorGC", WORK_GC, DRAWN },
	{ "MarkDOMContent", WORK_LOADING, HIDDEN },
	{ "MarkLoad", WORK_LOADING, HIDDEN },
	{ "MinorGC", WORK_GC, DRAWN },
	{ "NeedsBeginFrameChanged", WORK_RENDERING, HIDDEN },
	{ "PageAnimator::serviceScriptedAnimations", WORK_RENDERING, HIDDEN },
	{ "Paint", WORK_PAINTING, DRAWN },
	{ "PaintImage", WORK_PAINTING, HIDDEN },
	{ "PaintSetup", WORK_PAINTING, DRAWN },
	{ "PaintTimingVisualizer::LayoutObjectPainted", WORK_PAINTING, HIDDEN },
	{ "ParseAuthorStyleSheet", WORK_LOADING, DRAWN },
	{ "ParseHTML", WORK_LOADING, DRAWN },
	{ "PrePaint", WORK_RENDERING, DRAWN },
	{ "PreloadRenderBlockingStatusChange", WORK_LOADING, HIDDEN },
	{ "ProfileCall", WORK_SCRIPTING, DRAWN },
	{ "Program", WORK_SYSTEM, DRAWN },
	{ "PropertyTreeBuilder::BuildPropertyTrees", WORK_RENDERING, HIDDEN },
	{ "RasterTask", WORK_PAINTING, DRAWN },
	{ "Rasterize", WORK_PAINTING, DRAWN },
	{ "RasterizerTaskImpl::RunOnWorkerThread", WORK_PAINTING, HIDDEN },
	{ "RecalculateStyles", WORK_RENDERING, DRAWN },
	{ "Request document", WORK_LOADING, OTHER },
	{ "Request font", WORK_LOADING, OTHER },
	{ "Request image", WORK_PAINTING, OTHER },
	{ "Request media", WORK_PAINTING, OTHER },
	{ "Request script", WORK_SCRIPTING, OTHER },
	{ "Request style", WORK_RENDERING, OTHER },
	{ "RequestAnimationFrame", WORK_SCRIPTING, DRAWN },
	{ "RequestIdleCallback", WORK_SCRIPTING, DRAWN },
	{ "RequestMainThreadFrame", WORK_RENDERING, HIDDEN },
	{ "Resize Image", WORK_PAINTING, HIDDEN },
	{ "ResourceChangePriority", WORK_LOADING, HIDDEN },
	{ "ResourceFetcher::requestResource", WORK_LOADING, HIDDEN },
	{ "ResourceFinish", WORK_LOADING, DRAWN },
	{ "ResourceMarkAsCached", WORK_LOADING, HIDDEN },
	{ "ResourceReceiveResponse", WORK_LOADING, DRAWN },
	{ "ResourceReceivedData", WORK_LOADING, DRAWN },
	{ "ResourceSendRequest", WORK_LOADING, DRAWN },
	{ "ResourceWillSendRequest", WORK_LOADING, DRAWN },
	{ "RunMicrotasks", WORK_SCRIPTING, DRAWN },
	{ "RunPostTaskCallback", WORK_SCRIPTING, DRAWN },
	{ "RunTask", WORK_SYSTEM, DRAWN },
	{ "SchedulePostMessage", WORK_SCRIPTING, OTHER },
	{ "SchedulePostTaskCallback", WORK_SCRIPTING, DRAWN },
	{ "ScheduleStyleRecalculation", WORK_RENDERING, DRAWN },
	{ "ScheduledAction::execute", WORK_SCRIPTING, HIDDEN },
	{ "ScrollLayer", WORK_RENDERING, DRAWN },
	{ "StyleInvalidatorInvalidationTracking", WORK_RENDERING, HIDDEN },
	{ "StyleRecalcInvalidationTracking", WORK_RENDERING, HIDDEN },
	{ "TileManager::FinishTasksAndCleanUp", WORK_PAINTING, HIDDEN },
	{ "TimeStamp", WORK_SCRIPTING, DRAWN },
	{ "TimerFire", WORK_SCRIPTING, DRAWN },
	{ "TimerInstall", WORK_SCRIPTING, DRAWN },
	{ "TimerRemove", WORK_SCRIPTING, DRAWN },
	{ "UpdateLayer", WORK_PAINTING, HIDDEN },
	{ "UpdateLayerTree", WORK_RENDERING, DRAWN },
	{ "UpdateLayoutTree", WORK_RENDERING, DRAWN },
	{ "UserTiming", WORK_SCRIPTING, DRAWN },
	{ "V8.CompileCode", WORK_SCRIPTING, DRAWN },
	{ "V8.CompileModule", WORK_SCRIPTING, DRAWN },
	{ "V8.FinalizeDeserialization", WORK_SCRIPTING, OTHER },
	{ "V8.OptimizeCode", WORK_SCRIPTING, DRAWN },
	{ "V8Console::runTask", WORK_SCRIPTING, DRAWN },
	{ "WebAnimation", WORK_RENDERING, HIDDEN },
	{ "WebSocketCreate", WORK_SCRIPTING, DRAWN },
	{ "WebSocketDestroy", WORK_SCRIPTING, DRAWN },
	{ "WebSocketReceive", WORK_SCRIPTING, DRAWN },
	{ "WebSocketReceiveHandshakeResponse", WORK_SCRIPTING, DRAWN },
	{ "WebSocketSend", WORK_SCRIPTING, DRAWN },
	{ "WebSocketSendHandshakeRequest", WORK_SCRIPTING, DRAWN },
	{ "XHRLoad", WORK_SCRIPTING, DRAWN },
	{ "XHRReadyStateChange", WORK_SCRIPTING, DRAWN },
	{ "console.profile", WORK_SCRIPTING, HIDDEN },
	{ "domContentLoadedEventEnd", WORK_LOADING, HIDDEN },
	{ "domContentLoadedEventStart", WORK_LOADING, HIDDEN },
	{ "firstContentfulPaint", WORK_LOADING, HIDDEN },
	{ "firstPaint", WORK_LOADING, HIDDEN },
	{ "loadEventEnd", WORK_LOADING, HIDDEN },
	{ "loadEventStart", WORK_LOADING, HIDDEN },
	{ "navigationStart", WORK_LOADING, HIDDEN },
	{ "v8.compile", WORK_SCRIPTING, DRAWN },
	{ "v8.deserializeOnBackground", WORK_SCRIPTING, DRAWN },
	{ "v8.evaluateModule", WORK_SCRIPTING, DRAWN },
	{ "v8.parseOnBackground", WORK_SCRIPTING, OTHER },
	{ "v8.parseOnBackgroundParsing", WORK_SCRIPTING, DRAWN },
	{ "v8.produceCache", WORK_SCRIPTING, DRAWN },
	{ "v8.produceModuleCache", WORK_SCRIPTING, DRAWN },
};

/* clang-format on */

/* V8 has many names; what they share comes first. */
static const struct named beginnings[] = {
	{ "V8.", WORK_SCRIPTING, HIDDEN },
	{ "v8.wasm.", WORK_SCRIPTING, DRAWN },
	{ "v8.", WORK_SCRIPTING, HIDDEN },
};

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct named *)row)->name);
}

static const struct named *find(const char *name)
{
	const struct named *row = bsearch(name, by_name, ARRAY_LEN(by_name), sizeof *by_name,
					  compare);

	for (size_t i = 0; !row && i < ARRAY_LEN(beginnings); i++)
		if (strncmp(name, beginnings[i].name, strlen(beginnings[i].name)) == 0)
			row = &beginnings[i];
	return row;
}

enum work slice_work(const char *name)
{
	const struct named *found = find(name);

	return category_is_gc_slice(name) ? WORK_GC : found ? (enum work)found->work : WORK_SYSTEM;
}

enum work slice_work_counted(const char *name)
{
	const struct named *found = find(name);

	if (!found || found->shown == HIDDEN)
		return WORK_COUNT;
	return found->shown == OTHER ? WORK_SYSTEM : (enum work)found->work;
}

bool slice_work_is_task(const char *name)
{
	static const char *const tasks[] = { "RunTask",
					     "ThreadControllerImpl::RunTask",
					     "ThreadControllerImpl::DoWork",
					     "TaskQueueManager::ProcessTaskFromWorkQueue",
					     "MessageLoop::RunTask",
					     "RunTimers",
					     "CheckImmediate",
					     "RunAndClearNativeImmediates" };

	return STR_IN(str_of(name), tasks);
}

const char *slice_work_name(enum work work)
{
	static const char *const names[WORK_COUNT] = {
		[WORK_SCRIPTING] = "scripting",
		[WORK_RENDERING] = "rendering",
		[WORK_PAINTING] = "painting",
		[WORK_LOADING] = "loading",
		[WORK_GC] = "GC",
		[WORK_SYSTEM] = "system",
		[WORK_IDLE] = "idle",
	};

	return names[work];
}

/* ==== work times ==== */

/* Instead of a kind: that of the slice around it; garbage collection where none is around it. */
enum { AROUND = WORK_COUNT, AROUND_GC };

/* known: by frame: its kind, + 1; 0: not found yet. */
static void add_times(const struct profile *p, const struct lane *lane, const int64_t *self,
		      uint8_t *known, int64_t out[WORK_COUNT])
{
	ALLOC_LOCAL uint8_t *of = xcalloc((size_t)lane->tree.n + 1, 1);

	of[NODE_ROOT] = AROUND;
	for (node_id i = 1; i < lane->tree.n; i++) {
		frame_id f = lane->tree.frame[i];
		uint8_t around = of[lane->tree.parent[i]];

		if (!known[f]) {
			const char *name = profile_text(p, frame_event(&p->frames.frames[f]));

			known[f] = (uint8_t)(1 + slice_work_counted(name));
			known[f] = known[f] > AROUND && category_is_gc_slice(name) ? 1 + AROUND_GC
										   : known[f];
		}
		of[i] = known[f] > AROUND && around != AROUND ? around : (uint8_t)(known[f] - 1);
		out[of[i] < AROUND ? of[i] : of[i] == AROUND ? WORK_SYSTEM : WORK_GC] += self[i];
	}
}

bool work_times(const struct profile *profile, const struct lane *head, int64_t t0, int64_t t1,
		int64_t out[WORK_COUNT])
{
	uint32_t n = lane_count_joined(head, profile->lanes + profile->n_lanes);
	ALLOC_LOCAL uint8_t *known = xcalloc((size_t)profile->frames.n + 1, 1);
	int64_t covered = 0;

	memset(out, 0, WORK_COUNT * sizeof *out);
	for (uint32_t i = 0; i < n; i++) {
		int64_t *self = lane_self_times(&head[i], t0, t1, i ? NULL : &covered);

		add_times(profile, &head[i], self, known, out);
		free(self);
	}
	out[WORK_IDLE] = t1 - t0 > covered ? t1 - t0 - covered : 0;
	return head->is_page_main || out[WORK_SCRIPTING] || out[WORK_RENDERING] ||
		out[WORK_PAINTING] || out[WORK_LOADING];
}
